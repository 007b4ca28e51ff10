import { addCopyButtons } from './copy.ts'
import { showPlace } from './place.ts'
import { startSearch } from './search-box.ts'
import { startThemeButton } from './theme-button.ts'
import { startTrying } from './try-it.ts'

showPlace()
startThemeButton()
startSearch()
addCopyButtons()
startTrying()
