// Runs on the landing page only, before the first paint: sends users with a session to the dashboard, which checks it.
try {
  var token = localStorage.getItem('token')
  if (token && token.split('.').length === 3) location.replace('/dashboard')
} catch {
  // Without storage there is no session.
}
