/** A file as it is served: its bytes and the headers of the answer. */
export type ServedFile = { content: Buffer; headers: Record<string, string> }

/** A file with headers that make a browser download or show it, and nothing else. */
export function served(
  disposition: 'attachment' | 'inline',
  name: string,
  type: string,
  content: Buffer,
): ServedFile {
  const plainName = name.replaceAll(/[^\w.() -]/g, '_')
  return {
    content,
    headers: {
      'Content-Type': type,
      'Content-Disposition': `${disposition}; filename="${plainName}"; filename*=UTF-8''${encodeURIComponent(name)}`,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
    },
  }
}
