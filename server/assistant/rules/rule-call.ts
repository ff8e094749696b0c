import type { Asking } from '../tools/tool.ts'
import type { Answer } from './answer.ts'
import type { ReadQuestion } from './read-question.ts'
import type { Subject } from './who.ts'

/** What a rule gets: the question as it was read, and whom the conversation is about. */
export type RuleCall = { asking: Asking; answer: Answer; question: ReadQuestion; subject: Subject }
