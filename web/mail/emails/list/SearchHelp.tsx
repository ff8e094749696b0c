/** The operators that a search understands. */
const OPERATORS: readonly { text: string; means: string }[] = [
  { text: '"exact words"', means: 'these words in this order' },
  { text: 'from:anna', means: 'the sender' },
  { text: 'to:ben', means: 'the recipient' },
  { text: 'subject:offer', means: 'the subject' },
  { text: 'has:attachment', means: 'with files' },
  { text: 'is:unread', means: 'not read yet' },
  { text: 'before:2026-11-01', means: 'older than a day' },
  { text: 'after:2026-11-01', means: 'that day or later' },
]

/** Help on what can be typed, shown below the empty search box while it has the focus. */
export function SearchHelp() {
  return (
    <div className="pointer-events-none absolute inset-x-3 top-full z-20 hidden rounded-lg border border-line bg-surface p-3 shadow-float group-has-[input[data-empty]:focus]/search:block">
      <p className="mb-1.5 text-sm text-ink-2">Words in sender, subject or text. You can also type:</p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-sm">
        {OPERATORS.map(({ text, means }) => (
          <div key={text} className="col-span-2 grid grid-cols-subgrid">
            <dt className="font-medium">{text}</dt>
            <dd className="text-ink-2">{means}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
