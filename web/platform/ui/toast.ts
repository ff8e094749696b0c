/** The list of toasts: a small store, so that code outside components can show one. */
export type ToastKind = 'success' | 'error' | 'info'
export type Toast = { id: number; kind: ToastKind; text: string; undo: (() => void) | undefined }

/** How long a toast stays. Errors and toasts with Undo stay longer, because the user must read and decide. */
const STAY_MS = { success: 4_500, info: 4_500, error: 8_000 }
const STAY_WITH_UNDO_MS = 10_000
/** Older toasts are dropped, so that many messages at once do not fill the screen. */
const AT_MOST = 4

let toasts: ReadonlyArray<Toast> = []
let lastId = 0
const listeners = new Set<() => void>()
const timers = new Map<number, ReturnType<typeof setTimeout>>()

const publish = (next: ReadonlyArray<Toast>) => {
  toasts = next
  for (const listener of listeners) listener()
}

const say =
  (kind: ToastKind) =>
  (text: string, options: { undo?: () => void } = {}) => {
    const id = ++lastId
    const { undo } = options
    // A repeated message extends its toast and does not add another.
    const others = toasts.filter((toast) => toast.text !== text || toast.kind !== kind)
    publish([...others, { id, kind, text, undo }].slice(-AT_MOST))
    wait(id, undo ? STAY_WITH_UNDO_MS : STAY_MS[kind])
    return id
  }

const wait = (id: number, ms: number) =>
  timers.set(
    id,
    setTimeout(() => dismissToast(id), ms),
  )

/** Shows a message in the corner: `toast.success('Contact added')`, `toast.success('…', { undo })`. Returns its id. */
export const toast = { success: say('success'), error: say('error'), info: say('info') }

export function dismissToast(id: number) {
  clearTimeout(timers.get(id))
  timers.delete(id)
  publish(toasts.filter((toast) => toast.id !== id))
}

/** No toast disappears while the user reads one (hover or focus). */
export function holdToasts() {
  for (const timer of timers.values()) clearTimeout(timer)
}

export function releaseToasts() {
  for (const { id, undo, kind } of toasts) wait(id, undo ? STAY_WITH_UNDO_MS : STAY_MS[kind])
}

export const currentToasts = () => toasts
export const subscribeToToasts = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
