import { figuresOf } from '../tools/read-figures.ts'
import { taskFacts } from '../tools/read-tasks.ts'
import { shownWords } from '../tools/shown-words.ts'
import { list, state } from './answer.ts'
import { type SaidPeriod, saidPeriod } from './said-time.ts'
import { unknownWords } from './unknown-words.ts'
import type { RuleCall } from './rule-call.ts'

const LATE = /\boverdue\b|\b(?:late|behind) with\b/i

/** Tasks by the day that they are due, and by words of their title. */
export async function answerTasks({ asking, answer, question }: RuleCall): Promise<void> {
  const { text } = question
  const search = unknownWords(text).join(' ')
  const due = dueIn(text, saidPeriod(text, asking.context.clock.now(), asking.user.timeZone))
  const found = await taskFacts(asking, {
    search,
    due: due.what,
    completed: /\bcompleted?\b|\bdone\b|\bfinished\b/i.test(text),
    limit: 10,
  })
  const about = search === '' ? '' : ` about “${shownWords(search, 80)}”`
  if (search !== '' && found.total === 0)
    return void answer.lines.push(
      `I found no such task${about}. Did you mean all tasks? Ask “Show my tasks”.`,
    )
  list(
    answer,
    `${due.heading}${about}:`,
    found,
    due.what === 'any' ? 'You have no such tasks.' : 'No task is due then.',
  )
  if (
    !/task|to-?do/i.test(text) &&
    search === '' &&
    /\b(?:due|overdue)\b/i.test(text) &&
    typeof due.what === 'string'
  )
    for (const fact of (await figuresOf(asking, ['invoices'])).facts) state(answer, fact)
}

type Due = Parameters<typeof taskFacts>[1]['due']

function dueIn(text: string, period: SaidPeriod | null): { what: Due; heading: string } {
  if (LATE.test(text)) return { what: 'overdue', heading: 'Overdue tasks' }
  if (period !== null && period.words !== 'today')
    return { what: { from: period.from, to: period.to }, heading: `Tasks due ${period.words}` }
  if (period !== null || /\bdue\b/i.test(text)) return { what: 'by_today', heading: 'Due today or overdue' }
  return { what: 'any', heading: 'Your tasks' }
}
