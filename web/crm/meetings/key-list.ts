import type { KeyGroup } from '#web/platform/ui/key-list.ts'

/** The keyboard shortcuts of the calendar (`MonthGrid.tsx`, `dayAfterKey`). */
export const MEETING_KEYS: readonly KeyGroup[] = [
  {
    title: 'Calendar',
    lines: [
      { keys: ['←', '→'], does: 'Day before, day after' },
      { keys: ['↑', '↓'], does: 'Week before, week after' },
      { keys: ['Home', 'End'], does: 'First and last day of the week' },
      { keys: ['Page Up', 'Page Down'], does: 'Month before, month after' },
      { keys: ['Enter'], does: 'Open the day, or schedule a meeting on it' },
    ],
  },
]
