/** Width and height of a JPEG in a data URL; null if it is none. */
export function jpegSize(url: string): { width: number; height: number } | null {
  const base64 = /^data:image\/jpeg;base64,(.+)$/.exec(url)?.[1]
  if (base64 === undefined) return null
  const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0)
  const short = (at: number) => (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0)
  let at = 2
  while (short(0) === 0xff_d8 && at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    // SOF0 to SOF15 hold the size, except the tables DHT, JPG and DAC among them.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { width: short(at + 7), height: short(at + 5) }
    at += 2 + short(at + 2)
  }
  return null
}

/** The size of a picture that keeps its proportions within a box, in the units of the box. */
export function fitted(size: { width: number; height: number }, box: { width: number; height: number }) {
  const scale = Math.min(box.width / size.width, box.height / size.height)
  return { width: size.width * scale, height: size.height * scale }
}
