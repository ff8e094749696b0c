/**
 * Gives the memory below these bytes back at once, instead of when the collector of garbage comes by: it knows megabytes
 * outside its heap only as a number, and goes through the whole heap for them. Nobody may look at the bytes any more.
 */
export function freeBuffer({ buffer }: Uint8Array<ArrayBuffer>): void {
  buffer.transfer(0)
}
