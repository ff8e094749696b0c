import type { DialogProps } from '#web/platform/ui/dialog-props.ts'

/** What a dialog shows at one of its steps. The dialog itself stays, so that it does not close and open between them. */
export type DialogView = Omit<DialogProps, 'open' | 'onClose'>
