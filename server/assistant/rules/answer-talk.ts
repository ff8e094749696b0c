import { shownWords } from '../tools/shown-words.ts'
import { CANNOT } from './rules-of-talk.ts'
import { nearestQuestions } from './nearest-questions.ts'
import type { RuleCall } from './rule-call.ts'

export function answerGreeting({ answer }: RuleCall): void {
  answer.lines.push('Hello! Ask me about your contacts, mails, meetings, tasks and invoices.')
}

export function answerThanks({ answer }: RuleCall): void {
  answer.lines.push('You are welcome.')
}

/** What Howl does not know or do: said so, rather than answered with a figure of something else. */
export function answerCannot({ answer, question }: RuleCall): void {
  const { text } = question
  const reason = CANNOT.find(({ said }) => said.test(text))
  answer.lines.push(reason?.answer ?? 'I cannot do this.')
  const instead = reason?.instead?.(text.slice(0, 200))
  answer.suggestions.push(...(instead === undefined ? nearestQuestions(text) : [instead]))
}

/** Part of a question is clear and part is not: a guess would sound like an answer. */
export function answerPartly({ answer, question }: RuleCall, words: readonly string[]): void {
  answer.lines.push(
    `I did not understand “${shownWords(words.slice(0, 6).join(' '), 80)}” here, so I give no answer rather than a wrong one. You could ask:`,
  )
  answer.suggestions.push(...nearestQuestions(question.text))
}
