import type { Layout } from '../invoices.ts'

/** How a layout looks; lengths in points. */
export type Theme = {
  margin: number
  size: number
  title: { text: string; size: number; weight: 400 | 600 }
  ink: string
  muted: string
  line: string
  accent: string
  soft: string
  /** The top of the first page: plain, a coloured band over its full width, or a strip at its edge. */
  head: 'plain' | 'band' | 'edge'
  /** The most important facts in a row of cells above the table, or beside the addresses. */
  facts: 'column' | 'cells'
  tableHead: 'rules' | 'soft' | 'bare' | 'solid'
  rows: 'lines' | 'zebra' | 'bare'
  total: 'rules' | 'box' | 'bare'
  /** Above and below the text of a row. */
  rowPad: number
  /** Between the parts of the page. */
  gap: number
}

const PAPER = { ink: '#1b1a17', muted: '#5f5b53', line: '#dcd7cc' }

export const THEMES: Record<Layout, Theme> = {
  classic: {
    ...PAPER,
    margin: 52,
    size: 9.5,
    title: { text: 'INVOICE', size: 22, weight: 600 },
    accent: '#1b1a17',
    soft: '#f4f1ea',
    head: 'plain',
    facts: 'column',
    tableHead: 'rules',
    rows: 'lines',
    total: 'rules',
    rowPad: 6,
    gap: 26,
  },
  modern: {
    ...PAPER,
    margin: 48,
    size: 9.5,
    title: { text: 'Invoice', size: 28, weight: 600 },
    accent: '#3e5bdb',
    soft: '#eceffc',
    head: 'band',
    facts: 'column',
    tableHead: 'soft',
    rows: 'lines',
    total: 'box',
    rowPad: 7,
    gap: 28,
  },
  minimal: {
    ...PAPER,
    margin: 68,
    size: 9,
    title: { text: 'Invoice', size: 18, weight: 400 },
    accent: '#1b1a17',
    soft: '#ffffff',
    head: 'plain',
    facts: 'column',
    tableHead: 'bare',
    rows: 'bare',
    total: 'bare',
    rowPad: 6,
    gap: 38,
  },
  professional: {
    ink: '#18212f',
    muted: '#566072',
    line: '#d9dee6',
    margin: 48,
    size: 9.5,
    title: { text: 'INVOICE', size: 20, weight: 600 },
    accent: '#1c2f52',
    soft: '#f2f4f8',
    head: 'edge',
    facts: 'cells',
    tableHead: 'solid',
    rows: 'zebra',
    total: 'box',
    rowPad: 6,
    gap: 24,
  },
  compact: {
    ...PAPER,
    margin: 38,
    size: 8,
    title: { text: 'Invoice', size: 14, weight: 600 },
    accent: '#1b1a17',
    soft: '#f4f1ea',
    head: 'plain',
    facts: 'cells',
    tableHead: 'soft',
    rows: 'lines',
    total: 'rules',
    rowPad: 2.5,
    gap: 14,
  },
}
