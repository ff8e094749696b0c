import { it } from 'vitest'
import { killLinker } from './activities.ts'

it('kill -9 of the linker while 100 write leaves no gap and no fork', () => killLinker(1))
