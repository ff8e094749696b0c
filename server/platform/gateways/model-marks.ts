import { randomUUID } from 'node:crypto'

/** A line that nobody can guess: what others wrote reaches a language model between two of them. */
export const dataMark = (): string => `----- data ${randomUUID()} -----`

/** A text of others, for a language model. */
export const asData = (mark: string, text: string): string => `${mark}\n${text}\n${mark}`

/** Such lines in what a language model wrote. */
export const DATA_MARKS: RegExp = /^-{5} data [\w-]+ -{5}$/gm
