// Chooses the theme before the first paint. It is a file of its own because it must run before the page is shown, and
// the policy allows no inline script. The dashboard keeps the choice under the same name.
const chosen = (() => {
  try {
    return localStorage.getItem('warung.theme')
  } catch {
    return null
  }
})()
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
