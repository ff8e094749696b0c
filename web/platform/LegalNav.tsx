import { Link } from 'react-router'
import { legalLinks } from '#web/platform/paths.ts'

export function LegalNav() {
  return (
    <nav aria-label="Legal" className="flex gap-5 text-sm text-ink-2">
      {legalLinks.map(({ label, path }) => (
        <Link key={path} to={path} className="hover:text-ink hover:underline pointer-coarse:py-2.5">
          {label}
        </Link>
      ))}
    </nav>
  )
}
