// On the landing page only, before the first paint: who holds a session belongs on the dashboard (which checks it).
try {
  var token = localStorage.getItem('token')
  if (token && token.split('.').length === 3) location.replace('/dashboard')
} catch {
  // No storage, no session.
}
