import type { ComponentType, ReactNode } from 'react'

type LinkProps = { href: string; className?: string; children: ReactNode }

/** How the landing page links: a plain anchor where it stands alone, the router's inside the app. */
export type LinkLike = ComponentType<LinkProps>

export const PlainLink: LinkLike = ({ href, className, children }) => (
  <a href={href} className={className}>
    {children}
  </a>
)
