import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { columnsOf, headOf } from './csv-columns.ts'
import { csvRows } from './csv-rows.ts'
import { csvText, TOO_LONG } from './csv-text.ts'
import { escapeFormula, unescapeFormula } from '#contract/formats/formula-escape.ts'

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function textOf(bytes: Buffer, size = 1000): Promise<string> {
  return (await Array.fromAsync(csvText(pieces(bytes, size)))).join('')
}

async function rowsOf(blocks: string[], delimiter = ',') {
  const stream = (async function* () {
    yield* blocks
  })()
  return (await Array.fromAsync(csvRows(stream, delimiter))).flat()
}

const fieldsOf = async (blocks: string[]) => (await rowsOf(blocks)).map((row) => row.fields)

describe('the formula escape', () => {
  it('is reversible for every text', () => {
    const text = fc.stringMatching(/^['=+\-@＝＋－＠;\n\t\ra ]{0,6}.{0,5}$/u)
    fc.assert(
      fc.property(fc.oneof(text, fc.string()), (value) => unescapeFormula(escapeFormula(value)) === value),
    )
  })

  it('leaves nothing that a spreadsheet would run', () => {
    for (const start of ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r'])
      expect(escapeFormula(`${start}1+1`)).toBe(`'${start}1+1`)
    expect(escapeFormula("'=typed")).toBe("''=typed")
    expect(escapeFormula('plain')).toBe('plain')
    for (const start of ['=', '+', '-', '@', '＝', '＋', '－', '＠'])
      for (const end of [';', '\t', '\n', '\r'])
        expect(escapeFormula(`a${end}${start}1+1`)).toBe(`a${end}'${start}1+1`)
    expect(escapeFormula('\t=1')).toBe("'\t'=1")
  })

  it("keeps an apostrophe that is somebody's own", () => {
    expect(unescapeFormula("'t Hooft")).toBe("'t Hooft")
  })
})

describe('encodings', () => {
  const text = 'Name;Email\nJörg Müßig;joerg@x.example\n'

  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16 LE', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16 BE', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
    ['Windows-1252', Buffer.from(text, 'latin1')],
    ['line ends of Windows', Buffer.from(text.replaceAll('\n', '\r\n'))],
    ['line ends of old Macs', Buffer.from(text.replaceAll('\n', '\r'))],
    ['no line end at the end', Buffer.from(text.trimEnd())],
  ])('reads %s', async (_, bytes) => {
    for (const size of [1, 7, 5000]) expect(await textOf(bytes, size)).toBe(text)
  })

  it('reads the euro sign and the long dash of Windows-1252', async () => {
    expect(await textOf(Buffer.from([0x80, 0x20, 0x96, 0x0a]))).toBe('€ –\n')
  })

  it('reads each line of a mixed file by itself', async () => {
    const mixed = Buffer.concat([Buffer.from('Grün\n'), Buffer.from('Grün\n', 'latin1')])
    expect(await textOf(mixed)).toBe('Grün\nGrün\n')
  })

  it('never splits a character between two reads', async () => {
    const long = 'äöü😀,'.repeat(30_000) + '\n' + 'ß'.repeat(100_000)
    expect(await textOf(Buffer.from(long), 65_537)).toBe(`${long}\n`)
    expect(await textOf(Buffer.from(`\uFEFF${long}`, 'utf16le'), 65_537)).toBe(`${long}\n`)
  })

  it('drops NUL characters', async () => {
    expect(await textOf(Buffer.from('a\0b\n'))).toBe('ab\n')
  })

  it('skips a cell of 10 MB, and reads on', async () => {
    const text = `Name,Email\nA,a@x.example\n"${'x'.repeat(10_000_000)}",b@x.example\nC,c@x.example\n`
    const read = `Name,Email\nA,a@x.example\n${TOO_LONG}\nC,c@x.example\n`
    expect(await textOf(Buffer.from(text), 65_536)).toBe(read)
    expect(await textOf(Buffer.from(`\uFEFF${text}`, 'utf16le'), 65_536)).toBe(read)
    const last = `Name,Email\n${'x'.repeat(2_000_000)}`
    expect(await textOf(Buffer.from(last), 65_536)).toBe(`Name,Email\n${TOO_LONG}\n`)
  })

  it('refuses what is empty, a workbook, and a file without lines', async () => {
    await expect(textOf(Buffer.alloc(0))).rejects.toThrow('empty')
    await expect(textOf(Buffer.from('PK\u0003\u0004rest'))).rejects.toThrow('not a CSV file')
    await expect(textOf(Buffer.alloc(3_000_000, 'x'), 65_536)).rejects.toThrow('not a CSV file')
  })
})

describe('records', () => {
  it('reads what the RFC allows', async () => {
    const csv = 'a,"b ""c""","d\ne"\n\n,"",x\n'
    expect(await fieldsOf([csv])).toEqual([['a', 'b "c"', 'd\ne'], [''], ['', '', 'x']])
  })

  it('reports the line on which each record begins', async () => {
    expect((await rowsOf(['a\n"b\nb"\n\nc\n', 'd\n'])).map((row) => row.line)).toEqual([1, 2, 4, 5, 6])
  })

  it('joins a record that spans several blocks', async () => {
    expect(await fieldsOf(['a,"b\n', 'c\n', 'd",e\nf,g\n'])).toEqual([
      ['a', 'b\nc\nd', 'e'],
      ['f', 'g'],
    ])
  })

  it('reads every table correctly, however it is cut into blocks', async () => {
    const cell = fc.oneof(
      fc.constantFrom('', '"', '\n', 'a"b', ',', ' x ', ' "x"', ' "', '\t"x", '),
      fc.string().map((text) => text.replaceAll('\r', '')),
    )
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(table, fc.nat(5), async (rows, per) => {
        const lines = `${Papa.unparse(rows, { newline: '\n' })}\n`.split(/(?<=\n)/)
        const blocks: string[] = []
        for (let at = 0; at < lines.length; at += per + 1) blocks.push(lines.slice(at, at + per + 1).join(''))
        const found = await rowsOf(blocks)
        expect(found.map((row) => row.fields)).toEqual(rows)
        expect(found.some((row) => row.broken)).toBe(false)
      }),
    )
  })

  it('loses only the line whose quotes are broken', async () => {
    const rows = await rowsOf(['a,1\n"b,2\nc,3\n', '"d",4\n"e" x,5\nf,6\n'])
    expect(rows.filter((row) => !row.broken).map((row) => row.fields)).toEqual([
      ['a', '1'],
      ['c', '3'],
      ['d', '4'],
      ['f', '6'],
    ])
    expect(rows.filter((row) => row.broken).map((row) => row.line)).toEqual([2, 5])
  })

  it('treats a quote inside a value as a character', async () => {
    expect(await fieldsOf(['a,5" pipe\nb,x\n'])).toEqual([
      ['a', '5" pipe'],
      ['b', 'x'],
    ])
  })

  it('reads a quoted cell with blanks around its quotes', async () => {
    expect(await fieldsOf(['a, "b, c", d\n "e ""f""" ,\t"g\nh"\n'])).toEqual([
      ['a', 'b, c', ' d'],
      ['e "f"', 'g\nh'],
    ])
    expect((await rowsOf(['a; "b; c";d\n'], ';')).map(({ fields }) => fields)).toEqual([['a', 'b; c', 'd']])
    expect((await rowsOf(['a\t "b\tc"\t\t"d"\n'], '\t')).map(({ fields }) => fields)).toEqual([
      ['a', 'b\tc', '', 'd'],
    ])
    expect(headOf('Company, "Email, work", "Name"\n').names).toEqual(['Company', 'Email, work', 'Name'])
  })

  it('keeps quotes within a cell, and a cell that only begins like a quoted one', async () => {
    const rows = ['a, b "c" d,e', 'a, "b" c,e', 'a, 5",e', 'a, "x,e', 'a,b "c, d"']
    for (const row of rows) expect(await fieldsOf([`${row}\n`])).toEqual([row.split(',')])
  })

  it('does not buffer a whole file that begins with an open quote', async () => {
    const block = 'x,y\n'.repeat(20_000)
    const rows = await rowsOf([`"open,1\n${block}`, block, block])
    expect(rows.filter((row) => row.broken).map((row) => row.line)).toEqual([1])
    expect(rows.filter((row) => !row.broken)).toHaveLength(60_000)
  })

  it('survives any text: every line is read or reported as broken', async () => {
    const nasty = fc.array(fc.constantFrom('"', ',', '\n', 'a', ' ', '""', '"\n'), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(nasty, nasty, async (first, second) => {
        const blocks = [`${first.join('')}\n`, `${second.join('')}\n`]
        const rows = await rowsOf(blocks)
        const lines = rows.map((row) => row.line)
        expect(lines).toEqual([...new Set(lines)].sort((one, other) => one - other))
        expect(rows.at(-1)?.line ?? 1).toBeLessThanOrEqual(blocks.join('').split('\n').length)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('columns', () => {
  it.each([
    [
      'Howl',
      'Name,Email,Company,Position,Phone,Status,Notes,Activity,Last Contact',
      { name: [0], email: [1], company: [2], position: [3], phone: [4], status: [5], notes: [6] },
    ],
    [
      'Google',
      'First Name,Middle Name,Last Name,Organization Name,Organization Title,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Value,Notes',
      {
        first_name: [0],
        middle_name: [1],
        last_name: [2],
        company: [3],
        position: [4],
        email: [6],
        phone: [7],
        notes: [8],
      },
    ],
    [
      'Outlook',
      'Title,First Name,Last Name,Company,Job Title,Business Phone,Mobile Phone,E-mail Address',
      { first_name: [1], last_name: [2], company: [3], position: [4, 0], phone: [6, 5], email: [7] },
    ],
    [
      'German',
      'Vorname;Nachname;E-Mail-Adresse;Firma;Telefon;Bemerkungen',
      { first_name: [0], last_name: [1], email: [2], company: [3], phone: [4], notes: [5] },
    ],
    [
      'French',
      'Nom;Prénom;Adresse e-mail;Société;Téléphone',
      { last_name: [0], first_name: [1], email: [2], company: [3], phone: [4] },
    ],
    ['French, one name', 'Nom;Courriel', { name: [0], email: [1] }],
    [
      'Spanish',
      'Nombre;Apellidos;Correo electrónico;Empresa',
      { first_name: [0], last_name: [1], email: [2], company: [3] },
    ],
    ['shouting', 'NAME|E_MAIL|PHONE NUMBER', { name: [0], email: [1], phone: [2] }],
  ])('recognises those of %s', (_, header, columns) => {
    expect(columnsOf(headOf(`${header}\n`).names)).toEqual(columns)
  })

  it.each([',', ';', '\t', '|'])('finds the delimiter %j', (delimiter) => {
    const head = `Name${delimiter}Email${delimiter}Notes\nA${delimiter}a@x.example${delimiter}"x, y; z"\n`
    expect(headOf(head).delimiter).toBe(delimiter)
  })

  it('accepts a declared delimiter, and skips lines above the names', () => {
    expect(headOf('sep=;\nName;Email\n')).toMatchObject({ delimiter: ';', headerLine: 2 })
    expect(
      headOf('Notes:\n"When exporting your data …"\n\nFirst Name,Last Name,Email Address\n').headerLine,
    ).toBe(4)
  })

  it('finds no meaning in unknown names', () => {
    expect(headOf('foo;bar\n1;2\n')).toEqual({ delimiter: ';', headerLine: 1, names: ['foo', 'bar'] })
    expect(columnsOf(['foo', ''])).toEqual({})
  })
})
