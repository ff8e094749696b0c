import type { KeyGroup } from '#web/platform/ui/key-list.ts'

/** The keyboard shortcuts of Wolfy's page. */
export const ASSISTANT_KEYS: readonly KeyGroup[] = [
  {
    title: 'Wolfy',
    lines: [
      { keys: ['Enter'], does: 'Send the message' },
      { keys: ['Shift', 'Enter'], does: 'Begin a new line' },
    ],
  },
]
