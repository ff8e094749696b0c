import { describe, expect, it } from 'vitest'
import { columnsOfLayout, layoutOf } from './file-layout.ts'

async function layoutIn(text: string | Buffer) {
  const bytes = Buffer.from(text as string)
  return layoutOf(
    (async function* () {
      yield bytes
    })(),
  )
}

/** What is recognised, without what is ignored. */
async function knownIn(text: string) {
  const { source, columns } = await layoutIn(text)
  const known = columns.filter(({ meaning }) => meaning !== 'ignore')
  return [source, Object.fromEntries(known.map(({ name, meaning }) => [name, meaning]))]
}

describe('the columns of other programs', () => {
  it('are known: Google', async () => {
    const header =
      'First Name,Middle Name,Last Name,Phonetic First Name,Name Prefix,Nickname,File As,Organization Name,Organization Title,Organization Department,Birthday,Notes,Photo,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Website 1 - Value'
    expect(await knownIn(`${header}\n`)).toEqual([
      'google',
      {
        'First Name': 'first_name',
        'Middle Name': 'middle_name',
        'Last Name': 'last_name',
        'File As': 'name',
        'Organization Name': 'company',
        'Organization Title': 'position',
        Notes: 'notes',
        Labels: 'tags',
        'E-mail 1 - Value': 'email',
        'Phone 1 - Value': 'phone',
      },
    ])
  })

  it('are known: Outlook', async () => {
    const header =
      'Title,First Name,Middle Name,Last Name,Suffix,Company,Department,Job Title,Business Street,Business Fax,Business Phone,Home Phone,Mobile Phone,Categories,E-mail Address,E-mail Type,E-mail Display Name,E-mail 2 Address,Notes,Web Page'
    const [source, known] = await knownIn(`${header}\n`)
    expect(source).toBe('outlook')
    expect(known).toMatchObject({
      'First Name': 'first_name',
      'Last Name': 'last_name',
      Company: 'company',
      'Job Title': 'position',
      'Mobile Phone': 'phone',
      Categories: 'tags',
      'E-mail Address': 'email',
      'E-mail 2 Address': 'email',
      Notes: 'notes',
    })
  })

  it('are known: Thunderbird', async () => {
    const header =
      'First Name,Last Name,Display Name,Nickname,Primary Email,Secondary Email,Screen Name,Work Phone,Home Phone,Fax Number,Pager Number,Mobile Number,Home Address,Job Title,Department,Organization,Web Page 1,Birth Year,Notes'
    const [source, known] = await knownIn(`${header}\n`)
    expect(source).toBe('thunderbird')
    expect(known).toMatchObject({
      'Display Name': 'name',
      'Primary Email': 'email',
      'Secondary Email': 'email',
      'Work Phone': 'phone',
      'Mobile Number': 'phone',
      'Job Title': 'position',
      Organization: 'company',
    })
  })

  it('are known: HubSpot', async () => {
    const header =
      'Record ID,First Name,Last Name,Email,Phone Number,Contact owner,Lead Status,Job Title,Company Name,Create Date'
    expect(await knownIn(`${header}\n`)).toEqual([
      'hubspot',
      {
        'First Name': 'first_name',
        'Last Name': 'last_name',
        Email: 'email',
        'Phone Number': 'phone',
        'Job Title': 'position',
        'Company Name': 'company',
      },
    ])
  })

  it('are known: Apple and other vCards', async () => {
    const card =
      'BEGIN:VCARD\nVERSION:3.0\nPRODID:-//Apple Inc.//iOS 18//EN\nFN:Kim\nEMAIL:kim@x.example\nEND:VCARD\n'
    expect((await layoutIn(card)).source).toBe('apple')
    const { format, source, columns } = await layoutIn(card.replace(/PRODID.*\n/, ''))
    expect([format, source, columns[4]]).toEqual([
      'vcard',
      'vcard',
      { name: 'Email', samples: ['kim@x.example'], meaning: 'email' },
    ])
  })
})

describe('a file that tells less', () => {
  it('has its addresses found by their form', async () => {
    expect((await layoutIn('Wer;Wohin\nKim;kim@x.example\nLee;lee@x.example\n')).columns).toEqual([
      { name: 'Wer', samples: ['Kim', 'Lee'], meaning: 'ignore' },
      { name: 'Wohin', samples: ['kim@x.example', 'lee@x.example'], meaning: 'email' },
    ])
  })

  it('may be bare addresses', async () => {
    expect(await layoutIn('kim@x.example\nlee@x.example\n')).toMatchObject({
      headerLine: 0,
      columns: [{ name: 'Column 1', samples: ['kim@x.example', 'lee@x.example'], meaning: 'email' }],
    })
  })

  it('shows the first values, cut where they are long', async () => {
    const { columns } = await layoutIn(`Name,Email\n,a@x.example\n${'long '.repeat(40)},\nB,b@x.example\n`)
    expect(columns[0]?.samples).toEqual([`${'long '.repeat(40).trim().slice(0, 79)}…`, 'B'])
  })

  it('can be mapped by hand, and must have addresses', async () => {
    const layout = await layoutIn('One,Two\nKim,x\n')
    expect(() => columnsOfLayout(layout)).toThrow('This file has no email column.')
    expect(() => columnsOfLayout(layout, ['name', 'ignore'])).toThrow('Please choose the column')
    expect(() => columnsOfLayout(layout, ['email'])).toThrow('This file has 2 columns')
    expect(columnsOfLayout(layout, ['name', 'email'])).toEqual({ name: [0], email: [1] })
  })

  it.each([
    ['nothing', '', 'This file is empty.'],
    ['only blank lines', '\n\n\n', 'This file has no email column.'],
    ['a workbook', 'PK\u0003\u0004…', 'This is not a CSV file.'],
    ['one endless line', 'x'.repeat(3_000_000), 'This is not a CSV file.'],
    ['ten thousand columns', `${'a,'.repeat(9_999)}email\n`, 'This file has 10,000 columns.'],
  ])('is refused with a sentence: %s', async (_, text, sentence) => {
    await expect(layoutIn(text)).rejects.toThrow(sentence)
  })
})
