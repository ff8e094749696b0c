/** The name to greet somebody by; empty when there is none that is one. */
export function firstName(to: { name: string; email: string }): string {
  const name = to.name.trim()
  if (name === '' || name.includes('@') || /\d/.test(name)) return ''
  const [first = '', second = ''] = (name.includes(',') ? name.split(',').slice(1).join(' ') : name)
    .trim()
    .split(/\s+/)
  const plain = /^(mr|mrs|ms|dr|prof|herr|frau|mme|m)\.?$/i.test(first) ? second : first
  if (plain.length < 2 || plain.toLowerCase() === to.email.split('@')[0]?.toLowerCase())
    return plain.length < 2 ? '' : capital(plain)
  return capital(plain)
}

function capital(word: string): string {
  return word === word.toLowerCase() || word === word.toUpperCase()
    ? word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()
    : word
}
