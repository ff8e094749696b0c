import { onTestFinished } from 'vitest'

/** The files that pages save during the current test; the browser saves none of them. */
export function savedFiles(): { name: string; file: Blob }[] {
  const { createObjectURL } = URL
  const { click } = HTMLAnchorElement.prototype
  const offered = new Map<string, Blob>()
  const saved: { name: string; file: Blob }[] = []
  URL.createObjectURL = (file) => {
    const address = createObjectURL(file)
    if (file instanceof Blob) offered.set(address, file)
    return address
  }
  HTMLAnchorElement.prototype.click = function () {
    const file = offered.get(this.href)
    if (file === undefined) return click.call(this)
    saved.push({ name: this.download, file })
  }
  onTestFinished(() => {
    URL.createObjectURL = createObjectURL
    HTMLAnchorElement.prototype.click = click
  })
  return saved
}
