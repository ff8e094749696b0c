import fc from 'fast-check'
import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import { csvText } from './csv-text.ts'
import { isCard, VCARD_COLUMNS, vcardRows } from './vcard-rows.ts'

type Read = Record<string, string | number | boolean>

async function cardsIn(text: string | Buffer, size = 1000): Promise<Read[]> {
  const bytes = Buffer.from(text as string)
  const chunks = (async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  })()
  const rows = (await Array.fromAsync(vcardRows(csvText(chunks)))).flat()
  return rows.map(({ line, fields, broken }) => ({
    line,
    ...(broken ? { broken } : {}),
    ...Object.fromEntries(
      VCARD_COLUMNS.map((name, n) => [name, fields[n] ?? '']).filter(([, value]) => value !== ''),
    ),
  }))
}

const card = (...lines: string[]) => ['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\r\n')

describe('vCards', () => {
  it('are read as Apple writes them (3.0)', async () => {
    const text = card(
      'VERSION:3.0',
      'PRODID:-//Apple Inc.//macOS 15.1//EN',
      'N:van Dyke;Mary;Anne;Dr.;',
      'FN:Dr. Mary Anne van Dyke',
      'ORG:Harbour Ltd;Sales;',
      'TITLE:Head of Sales',
      'EMAIL;type=INTERNET;type=HOME:mary@home.example',
      'item1.EMAIL;type=INTERNET;type=pref:mary@harbour.example',
      'item1.X-ABLabel:_$!<Other>!$_',
      'TEL;type=WORK;type=VOICE:+44 20 7946 0018',
      'TEL;type=CELL;type=VOICE;type=pref:+44 7700 900123',
      'NOTE:Likes tea\\, not coffee\\; met in Leeds\\nCall in May',
      'CATEGORIES:Customers,VIP',
    )
    expect(await cardsIn(text)).toEqual([
      {
        line: 1,
        'Full name': 'Dr. Mary Anne van Dyke',
        'First name': 'Mary',
        'Middle name': 'Anne',
        'Last name': 'van Dyke',
        Email: 'mary@harbour.example',
        Company: 'Harbour Ltd',
        Position: 'Head of Sales',
        Phone: '+44 7700 900123',
        Notes: 'Likes tea, not coffee; met in Leeds\nCall in May',
        Categories: 'Customers, VIP',
      },
    ])
  })

  it('are read as old phones write them (2.1: bare types, quoted-printable, charsets)', async () => {
    const text = card(
      'VERSION:2.1',
      'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BC=C3=9Fig;J=C3=B6rg;;;',
      'FN;CHARSET=ISO-8859-1;QUOTED-PRINTABLE:J=F6rg M=FC=DFig',
      'TEL;HOME;FAX:030 1',
      'TEL;CELL;VOICE:0171 2345678',
      'EMAIL;INTERNET;PREF:joerg@x.example',
      'NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Erste Zeile=0D=0AZweite=',
      ' Zeile =',
      '=C3=A4',
    )
    expect(await cardsIn(text)).toMatchObject([
      {
        'Full name': 'Jörg Müßig',
        'First name': 'Jörg',
        'Last name': 'Müßig',
        Phone: '0171 2345678',
        Email: 'joerg@x.example',
        Notes: 'Erste Zeile\nZweiteZeile ä',
      },
    ])
  })

  it('are read in 4.0, with numeric preferences and phones as URIs', async () => {
    const text = card(
      'VERSION:4.0',
      'FN:Kim Lee',
      'EMAIL;PREF=2:second@x.example',
      'EMAIL;PREF=1;TYPE="work,home":first@x.example',
      'TEL;VALUE=uri;TYPE="voice,cell":tel:+1-212-555-0123',
      'ROLE:Buyer',
    )
    expect(await cardsIn(text)).toEqual([
      {
        line: 1,
        'Full name': 'Kim Lee',
        Email: 'first@x.example',
        Phone: '+1-212-555-0123',
        Position: 'Buyer',
      },
    ])
  })

  it('when broken, affect no other card', async () => {
    const text =
      card('FN:One', 'EMAIL:one@x.example') +
      'BEGIN:VCARD\r\nFN:Endless\r\nEMAIL:endless@x.example\r\n' +
      card('no property at all', ':::', 'FN:Two', 'EMAIL:two@x.example') +
      'rubbish between cards\r\n' +
      'BEGIN:VCARD\nFN:Last\nEMAIL:last@x.exam'
    expect(await cardsIn(text)).toEqual([
      { line: 1, 'Full name': 'One', Email: 'one@x.example' },
      { line: 5, broken: true, 'Full name': 'Endless' },
      { line: 8, 'Full name': 'Two', Email: 'two@x.example' },
      { line: 15, broken: true, 'Full name': 'Last' },
    ])
  })

  it('leave out a card within a card', async () => {
    const text = card(
      'FN:Boss',
      'EMAIL:boss@x.example',
      'AGENT:',
      ...card('FN:Aide').trim().split('\r\n'),
      'TITLE:Chief',
    )
    expect(await cardsIn(text)).toEqual([
      { line: 1, 'Full name': 'Boss', Email: 'boss@x.example', Position: 'Chief' },
    ])
  })

  it('with a large photo, folded or in one line, cost no memory and keep the address', async () => {
    const photo = Buffer.alloc(1_500_000, 'howl').toString('base64')
    const folded = photo.match(/.{1,74}/g)?.join('\r\n ') ?? ''
    const text =
      card('FN:Folded', `PHOTO;ENCODING=b;TYPE=JPEG:${folded}`, 'EMAIL:a@x.example') +
      card('FN:Straight', `PHOTO;BASE64:${photo}`, 'EMAIL:b@x.example')
    expect(await cardsIn(text, 65_536)).toMatchObject([
      { 'Full name': 'Folded', Email: 'a@x.example' },
      { 'Full name': 'Straight', Email: 'b@x.example' },
    ])
  })

  it('are distinguished from tables', () => {
    expect(isCard('\r\nBEGIN:VCARD\r\nVERSION:3.0')).toBe(true)
    expect(isCard('begin:vcard\n')).toBe(true)
    expect(isCard('Name,Email\nBEGIN:VCARD,x')).toBe(false)
  })

  it('are read as another program reads them', async () => {
    const text = fc.stringMatching(/^[a-zA-Z0-9 ,;\\:äöü"'=+-]{1,60}$/).map((value) => value.trim() || 'x')
    await fc.assert(
      fc.asyncProperty(text, text, text, async (name, title, note) => {
        const made = new ICAL.Component(['vcard', [], []])
        const properties = { version: '4.0', fn: name, title, note, email: 'a@x.example' }
        for (const [key, value] of Object.entries(properties)) made.addPropertyWithValue(key, value)
        expect(await cardsIn(`${made.toString()}\r\n`, 7)).toEqual([
          { line: 1, 'Full name': name, Email: 'a@x.example', Position: title, Notes: note },
        ])
      }),
      { numRuns: 200 },
    )
  })

  it('survive any text', async () => {
    const piece = fc.constantFrom(
      'BEGIN:VCARD\n',
      'END:VCARD\n',
      'AGENT:\n',
      'FN:x\n',
      'N:;;\n',
      ' folded\n',
      'NOTE;QUOTED-PRINTABLE:=\n',
      '=ZZ\n',
      'TEL;:\n',
      ':\n',
      ';"\n',
      '\n',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        const cards = await cardsIn(`x\n${pieces.join('')}`, 11)
        const begun = pieces.filter((each) => each === 'BEGIN:VCARD\n').length
        expect(cards.length).toBeLessThanOrEqual(begun)
      }),
      { numRuns: 500 },
    )
  })
})
