/**
 * Frees the memory of these bytes at once instead of waiting for the garbage collector, which only sees a number for
 * memory outside its heap and scans the whole heap for it. The bytes must not be used afterwards.
 */
export function freeBuffer({ buffer }: Uint8Array<ArrayBuffer>): void {
  buffer.transfer(0)
}
