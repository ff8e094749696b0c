import type { Token, Tokens } from 'marked'
import { Fragment, memo, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { ChatSource } from '#contract/assistant/assistant.ts'
import { isOwnPath } from '#web/platform/own-path.ts'
import { cx } from '#web/platform/ui/cx.ts'
import { CopyButton } from './CopyButton.tsx'
import { readMarkdown } from './read-markdown.ts'

/** Null: what the numbers stand for is not known yet. */
type Sources = readonly ChatSource[] | null

/**
 * The text of an answer. Only its structure is taken from the markdown, and our own elements show it: HTML stays text,
 * pictures are never loaded, and addresses are text that shows where it leads. `[1]` becomes a link to that source,
 * which is a page of Howl.
 */
export const Markdown = memo(function Markdown({ text, sources }: { text: string; sources: Sources }) {
  return (
    <div className="flex min-w-0 flex-col gap-3 wrap-anywhere">
      <Blocks tokens={readMarkdown(text)} sources={sources} />
    </div>
  )
})

type Inside = { tokens: readonly Token[] | undefined; sources: Sources }

function Blocks({ tokens, sources }: Inside) {
  return tokens?.map((token, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- a text that grows keeps the order of its blocks
    <Block key={index} token={token} sources={sources} />
  ))
}

function Block({ token, sources }: { token: Token; sources: Sources }): ReactNode {
  const { type, raw } = token
  const inside = { tokens: 'tokens' in token ? token.tokens : undefined, sources }
  switch (type) {
    case 'space':
    case 'def':
      return null
    case 'heading':
      return (
        // The headings of an answer are not those of the page.
        <p className="mt-1 font-semibold">
          <Inline {...inside} />
        </p>
      )
    case 'paragraph':
      return (
        <p>
          <Inline {...inside} />
        </p>
      )
    case 'text':
      return <Inline {...inside} tokens={inside.tokens ?? [token]} />
    case 'list':
      return <List list={token as Tokens.List} sources={sources} />
    case 'blockquote':
      return (
        <blockquote className="flex flex-col gap-2 border-l-2 border-line pl-3 text-ink-2">
          <Blocks {...inside} />
        </blockquote>
      )
    case 'code':
      return <Code text={(token as Tokens.Code).text} />
    case 'table':
      return <Table table={token as Tokens.Table} sources={sources} />
    case 'hr':
      return <hr className="border-line" />
    default:
      return <p className="whitespace-pre-wrap">{raw.trimEnd()}</p>
  }
}

function List({ list, sources }: { list: Tokens.List; sources: Sources }) {
  const items = list.items.map((item, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- as above
    <li key={index} className="pl-1 [&>p+p]:mt-2">
      <Blocks tokens={item.tokens} sources={sources} />
    </li>
  ))
  const look = 'flex flex-col gap-1 pl-5 marker:text-ink-2'
  return list.ordered ? (
    <ol start={Number(list.start) || 1} className={cx(look, 'list-decimal')}>
      {items}
    </ol>
  ) : (
    <ul className={cx(look, 'list-disc')}>{items}</ul>
  )
}

function Code({ text }: { text: string }) {
  return (
    <div data-row className="relative rounded-md border border-line bg-sunken">
      {/* What a model sets apart is more often a letter than code: nothing has to be scrolled for. */}
      <pre className="px-3 py-2.5 pr-12 text-sm leading-relaxed whitespace-pre-wrap wrap-anywhere">
        <code>{text}</code>
      </pre>
      <span className="absolute top-1 right-1">
        <CopyButton text={text} label="Copy code" />
      </span>
    </div>
  )
}

const ALIGN = { left: 'text-left', right: 'text-right', center: 'text-center' }

function Table({ table, sources }: { table: Tokens.Table; sources: Sources }) {
  const cell = (from: Tokens.TableCell, index: number) => ({
    key: index,
    className: cx('px-3 py-1.5 align-top first:pl-0 last:pr-0', ALIGN[from.align ?? 'left']),
    children: <Inline tokens={from.tokens} sources={sources} />,
  })
  const head = table.header.map(cell)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/prefer-tag-over-role -- a scrollable area must be reachable by keyboard
    <div tabIndex={0} role="group" aria-label="Table" className="overflow-x-auto">
      <table className="min-w-full border-collapse tabular-nums">
        <thead className="text-sm text-ink-2">
          <tr className="border-b border-line">
            {head.map(({ key, ...rest }) => (
              <th key={key} scope="col" {...rest} className={cx(rest.className, 'font-medium')} />
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- as above
            <tr key={at} className="border-b border-line last:border-0">
              {row.map(cell).map(({ key, ...rest }) => (
                <td key={key} {...rest} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Inline({ tokens, sources }: Inside) {
  return tokens?.map((token, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- as above
    <Fragment key={index}>{inlineOf(token, sources)}</Fragment>
  ))
}

function inlineOf(token: Token, sources: Sources): ReactNode {
  const inside = <Inline tokens={'tokens' in token ? token.tokens : undefined} sources={sources} />
  switch (token.type) {
    case 'strong':
      return <strong className="font-semibold">{inside}</strong>
    case 'em':
      return <em>{inside}</em>
    case 'del':
      return <del>{inside}</del>
    case 'codespan':
      return (
        <code className="rounded-sm bg-sunken px-1 py-0.5 text-[0.9em]">
          {(token as Tokens.Codespan).text}
        </code>
      )
    case 'br':
      return <br />
    case 'link': {
      const { href, text } = token as Tokens.Link
      return shownAddress(text, href)
    }
    case 'image': {
      const { href, text } = token as Tokens.Image
      return shownAddress(text, href)
    }
    case 'escape':
      return (token as Tokens.Escape).text
    case 'checkbox':
      return (token as Tokens.Checkbox).checked ? '☑ ' : '☐ '
    case 'text': {
      const { tokens, text, escaped } = token as Tokens.Text
      return tokens === undefined || escaped === true ? withSources(text, sources) : inside
    }
    default:
      return token.raw
  }
}

/** Words and the whole address behind them: nothing is followed by mistake. */
const shownAddress = (text: string, href: string) =>
  text === '' || text === href || `mailto:${text}` === href ? text || href : `${text} (${href})`

function withSources(text: string, sources: Sources): ReactNode {
  if (!text.includes('[')) return text
  const parts = text.split(/(\[\d{1,2}\])/)
  const markOf = (part = ''): ReactNode => {
    if (!/^\[\d+\]$/.test(part)) return null
    if (sources === null) return <ComingMark n={part.slice(1, -1)} />
    const source = sources.find(({ n }) => `[${n}]` === part)
    return source !== undefined && isOwnPath(source.path) ? <SourceMark source={source} /> : null
  }
  return parts.map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- as above
    <Fragment key={index}>
      {markOf(part) ??
        // A mark stays on the line of the word before it.
        (markOf(parts[index + 1]) === null ? part : part.replace(/ $/, '\u00a0'))}
    </Fragment>
  ))
}

const markClass =
  'rounded-full bg-sunken px-1.5 py-0.5 align-[0.1em] text-[0.6875rem] leading-none font-medium text-ink-2 tabular-nums'

/** A source of an answer that is being written. */
const ComingMark = ({ n }: { n: string }) => (
  <span aria-hidden className={markClass}>
    {n}
  </span>
)

function SourceMark({ source }: { source: ChatSource }) {
  return (
    <Link
      to={source.path}
      data-tip={source.label}
      aria-label={`Source ${source.n}: ${source.label}`}
      className={`${markClass} hover:bg-accent-soft hover:text-accent`}
    >
      {source.n}
    </Link>
  )
}
