import { type Figure, isMet } from './figure.ts'

const HEAD = ['figure', 'bare baseline', 'Howl', 'ratio', 'reach', 'met']

/** The figures as a table that a terminal shows and Markdown renders. */
export function table(figures: readonly Figure[]): string {
  const rows = [HEAD, ...figures.map((figure) => cells(figure))]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [line(HEAD), rule, ...rows.slice(1).map((row) => line(row))].join('\n')
}

function cells(figure: Figure): string[] {
  const unit = figure.unit ?? 'ratio'
  const number = (value: number) => (unit === 'ratio' ? `${value}×` : `${value} ${unit}`)
  const { reach } = figure
  return [
    figure.name,
    figure.baseline,
    figure.howl,
    unit === 'ratio' ? `${figure.ratio.toFixed(2)}×` : '–',
    'atLeast' in reach ? `≥ ${number(reach.atLeast)}` : `≤ ${number(reach.atMost)}`,
    isMet(figure) ? 'yes' : 'no',
  ]
}
