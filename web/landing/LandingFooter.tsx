import { paths } from '#web/platform/paths.ts'
import type { LinkLike } from './link.tsx'

const groups = [
  {
    title: 'Howl',
    links: [
      { label: 'Pricing', href: paths.pricing },
      { label: 'Login', href: paths.login },
      { label: 'Dashboard', href: paths.dashboard },
    ],
  },
  {
    title: 'Legal',
    links: [
      { label: 'Terms', href: paths.terms },
      { label: 'Privacy', href: paths.privacy },
      { label: 'Returns', href: paths.returns },
    ],
  },
]

export function LandingFooter({ link: Anchor }: { link: LinkLike }) {
  const linkClass = 'inline-block py-1 text-ink-2 hover:text-ink hover:underline pointer-coarse:py-2.5'
  return (
    <footer className="mt-24 border-t border-line">
      <div className="mx-auto flex max-w-300 flex-wrap justify-between gap-x-16 gap-y-8 px-4 py-10 md:px-6">
        <div className="max-w-xs">
          <p className="font-display text-lg font-medium">Call out. Hear back.</p>
          <p className="mt-1 text-ink-2">
            Howl runs on your own machine. Your contacts and your mail stay there.
          </p>
        </div>
        <div className="flex flex-wrap gap-x-16 gap-y-6">
          {groups.map(({ title, links }) => (
            <nav key={title} aria-label={title}>
              <ul>
                {links.map(({ label, href }) => (
                  <li key={href}>
                    <Anchor href={href} className={linkClass}>
                      {label}
                    </Anchor>
                  </li>
                ))}
              </ul>
            </nav>
          ))}
          <nav aria-label="Community">
            {/* Leaves the app: the server knows where the community meets. */}
            <a href={paths.community} className={linkClass}>
              Community chat
            </a>
          </nav>
        </div>
      </div>
    </footer>
  )
}
