/** The classes shared by all text controls. */
export const controlClass =
  'w-full min-w-0 rounded-md border border-control/70 bg-surface px-2.5 text-base text-ink transition-colors ' +
  'hover:border-control focus:border-accent focus-visible:outline-offset-0 ' +
  'aria-invalid:border-danger aria-invalid:focus-visible:outline-danger disabled:opacity-60 disabled:bg-sunken [&[readonly]]:bg-sunken ' +
  // iOS zooms into any control with text below 16 px.
  'pointer-coarse:text-md'

/** The height of one-line controls. */
export const controlHeight = 'h-8.5 pointer-coarse:h-11'
