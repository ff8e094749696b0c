import { describe, expect, test } from 'vitest'
import { previewOf } from './preview-attachment.ts'

const PNG = Buffer.from('\x89PNG\r\n\x1a\n....', 'latin1')

describe('a preview', () => {
  test('goes by the bytes, not by the declared type', () => {
    expect(previewOf('text/html', PNG)?.type).toBe('image/png')
    expect(previewOf('application/pdf', Buffer.from('<script>alert(1)</script>'))).toBeNull()
    expect(previewOf('image/png', Buffer.from('<svg onload=alert(1)>'))).toBeNull()
  })

  test.each(['text/html', 'image/svg+xml', 'application/xhtml+xml', 'application/javascript'])(
    'there is none of %s',
    (type) => {
      expect(previewOf(type, Buffer.from('<svg xmlns="…"/>'))).toBeNull()
    },
  )

  test.each([
    ['UTF-8', Buffer.from('Grüße')],
    ['windows-1252', Buffer.from('Gr\xfc\xdfe', 'latin1')],
    ['UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Grüße', 'utf16le')])],
  ])('a text in %s is readable', (_name, bytes) => {
    const preview = previewOf('text/csv', bytes)
    expect(preview?.type).toBe('text/plain; charset=utf-8')
    expect(preview?.content.toString()).toBe('Grüße')
  })
})
