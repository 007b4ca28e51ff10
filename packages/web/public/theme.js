// Chooses the theme and the language before the first paint, so that nothing flashes. It is a file of its own because
// the content security policy allows no inline script.
{
  const root = document.documentElement
  const read = (name) => {
    try {
      return localStorage.getItem(name)
    } catch {
      return null
    }
  }
  const theme = read('warung.theme')
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
  const language = read('warung.language')
  root.lang = ['ms', 'id', 'zh', 'ta'].includes(language) ? language : 'en'
}
