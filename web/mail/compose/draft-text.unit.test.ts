import { expect, test } from 'vitest'
import { type DraftNode, draftText } from './draft-text.ts'

const text = (words: string, href?: string): DraftNode => ({
  type: 'text',
  text: words,
  ...(href === undefined ? {} : { marks: [{ type: 'bold' }, { type: 'link', attrs: { href } }] }),
})
const paragraph = (...content: DraftNode[]): DraftNode => ({ type: 'paragraph', content })
const item = (...content: DraftNode[]): DraftNode => ({ type: 'listItem', content })
const textOf = (...content: DraftNode[]) => draftText({ type: 'doc', content })

test('paragraphs and breaks become lines', () => {
  expect(
    textOf(paragraph(text('One'), { type: 'hardBreak' }, text('two')), paragraph(), paragraph(text('3'))),
  ).toBe('One\ntwo\n\n3')
})

test('a signature keeps its separator, whose space the editor drops', () => {
  expect(textOf(paragraph(text('Yes')), paragraph(text('--')), paragraph(text('Ada')))).toBe('Yes\n-- \nAda')
  expect(textOf(paragraph(text('--'), { type: 'hardBreak' }, text('Ada')))).toBe('-- \nAda')
  expect(textOf(paragraph(text('---')), paragraph(text('a --')))).toBe('---\na --')
})

test('lists and quotes keep their markers at any depth', () => {
  const inner = {
    type: 'orderedList',
    attrs: { start: 9 },
    content: [item(paragraph(text('a'))), item(paragraph(text('b')))],
  }
  expect(
    textOf(
      {
        type: 'bulletList',
        content: [item(paragraph(text('Flour'))), item(paragraph(text('Water')), inner)],
      },
      { type: 'blockquote', content: [paragraph(text('Said')), paragraph(), paragraph(text('before'))] },
    ),
  ).toBe('- Flour\n- Water\n  9. a\n  10. b\n> Said\n>\n> before')
})

test('the address of a link appears once', () => {
  expect(
    textOf(
      paragraph(
        text('See '),
        text('our of', 'https://b.example/x'),
        text('fers', 'https://b.example/x'),
        text('.'),
      ),
    ),
  ).toBe('See our offers (https://b.example/x).')
  expect(
    textOf(
      paragraph(
        text('b.example', 'https://b.example/'),
        text(', '),
        text('a@b.example', 'mailto:a@b.example'),
      ),
    ),
  ).toBe('b.example, a@b.example')
})
