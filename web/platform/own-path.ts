/**
 * Whether this is a path of this app: neither another host (`//evil.example`) nor a script. Browsers leave out tabs and line
 * breaks and read `\` as `/`, so these are no disguise.
 */
export const isOwnPath = (path: unknown): path is string =>
  typeof path === 'string' && /^\/(?![\t\n\r]*[/\\])/.test(path)
