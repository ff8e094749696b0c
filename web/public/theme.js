// Before the first paint: the theme that the user chose, so that nothing flashes. Without a choice CSS follows the device.
try {
  var theme = localStorage.getItem('app.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // No storage, no choice.
}
