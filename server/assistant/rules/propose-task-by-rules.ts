import { taskRows } from '../tools/read-tasks.ts'
import { shownWords } from '../tools/shown-words.ts'
import { taskSource } from '../tools/sources.ts'
import { cite, propose } from './answer.ts'
import { saidTime } from './said-time.ts'
import { contactsNamed } from './who.ts'
import type { RuleCall } from './rule-call.ts'

const PERSON =
  /\b(?:call|phone|ring|mail|e-?mail|write to|write|meet|thank|ask|remind|contact|visit|pay|invoice|chase|tell|send)\s+(?<who>\p{Lu}[\p{L}'-]+(?:\s+\p{Lu}[\p{L}'-]+)?)/u

/** A task: what is left of the sentence without its day is the title. */
export async function proposeTask({ asking, answer, question }: RuleCall): Promise<void> {
  const said = question.named['what'] ?? ''
  const time = saidTime(said, asking.context.clock.now(), asking.user.timeZone)
  const isHigh =
    question.named['priority'] ??
    (/\b(?:urgent|asap|high priority|important)\b/i.test(said) ? 'high' : undefined)
  const title = withoutTime(said, time?.words)
    .replace(/^(?:to|that i|about)\s+/i, '')
    .replace(/[,;:]?\s*\(?\b(?:high|low|medium) priority\)?$/i, '')
    .trim()
  if (title === '')
    return void answer.lines.push('Please tell me what the task is: “Remind me to call Ann tomorrow”.')
  const who = PERSON.exec(title)?.groups?.['who']
  const people = who === undefined ? [] : await contactsNamed(asking, who)
  const [only] = people
  await propose(asking, answer, 'add_task', {
    title: title.charAt(0).toUpperCase() + title.slice(1),
    ...(time === null ? {} : { due_date: time.day }),
    ...(isHigh === undefined ? {} : { priority: isHigh.toLowerCase() }),
    ...(only !== undefined && people.length === 1 ? { contact_id: only.id } : {}),
  })
  answer.lines.push(
    time?.at == null
      ? 'I would add this task:'
      : 'I would add this task. Tasks have a day and no hour; for an hour, schedule a meeting:',
  )
}

/** The sentence without the words of its time and what leads to them. */
export function withoutTime(sentence: string, words: string | undefined): string {
  if (words === undefined) return sentence
  const at = sentence.indexOf(words)
  if (at < 0) return sentence
  const before = sentence.slice(0, at).replace(/\s*\b(?:by|on|at|due|before|until|for|from)?\s*$/i, '')
  return `${before} ${sentence.slice(at + words.length)}`.replaceAll(/\s+/g, ' ').trim()
}

/** The one pending task whose title holds the words. */
export async function proposeTaskDone({ asking, answer, question }: RuleCall): Promise<void> {
  const said = (question.named['what'] ?? '')
    .replaceAll(/[“”"]/g, '')
    .replace(/\s+(?:as )?(?:done|complete|completed)$/i, '')
    .trim()
  const rows = await taskRows(asking, { search: said, due: 'any', completed: false, limit: 10 })
  const exact = rows.filter(({ title }) => title.toLowerCase() === said.toLowerCase())
  const found = exact.length > 0 ? exact : rows
  const [only] = found
  if (only === undefined) return void answer.lines.push(`I found no pending task “${shownWords(said, 80)}”.`)
  if (found.length > 1)
    return void answer.lines.push(
      [
        'Which of these tasks? Please ask again with its whole title.',
        ...found
          .slice(0, 6)
          .map((task) => `- ${shownWords(task.title)}${cite(answer.sources, taskSource(task))}`),
      ].join('\n'),
    )
  await propose(asking, answer, 'complete_task', { task_id: only.id })
  answer.lines.push('I would mark this task as completed:')
}
