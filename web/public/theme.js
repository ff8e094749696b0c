// Applies the user's theme before the first paint, so that nothing flashes. Without a choice CSS follows the device.
try {
  var theme = localStorage.getItem('app.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Without storage there is no choice.
}
