import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import type { LiveEvent, Topic } from '#contract/platform/events.ts'
import { keepStream } from './live-stream.ts'

/** The answers of a topic are refetched at most this often: a bulk run sends many events a second. */
const REFRESH_EVERY_MS = 1000

/** The answers that each topic makes stale, by the prefix of their path. Mails change a contact's status as well. */
const STALE: Record<Topic, { paths: readonly string[]; except?: readonly string[] }> = {
  emails: {
    paths: ['/emails/', '/contacts/', '/dashboard/'],
    except: ['/emails/batches', '/emails/generate-and-send', '/emails/health'],
  },
  contacts: { paths: ['/contacts/', '/emails/response-rate'] },
  meetings: { paths: ['/meetings/', '/contacts/', '/dashboard/'] },
  todos: { paths: ['/todos/', '/contacts/:id/timeline', '/dashboard/today'] },
  outreach: {
    paths: [
      '/emails/batches',
      '/emails/generate-and-send',
      '/automatic-mail/',
      '/contacts/:id/',
      '/follow-ups',
      '/sequences/',
    ],
  },
  mailboxes: { paths: ['/email-settings/', '/emails/health', '/automatic-mail/'] },
  import: { paths: [] },
  referrals: { paths: ['/referrals/'] },
  invoices: {
    paths: ['/invoices/', '/contacts/:id/timeline', '/dashboard/today', '/automatic-mail/upcoming'],
  },
  assistant: { paths: ['/chat/', '/wolfy/'] },
  session: { paths: ['/auth/sessions'] },
  notifications: { paths: [] },
  account: {
    paths: ['/auth/me', '/auth/sessions', '/auth/two-step', '/ai-model', '/ai-usage', '/writing/settings'],
  },
}

/** True if an event of this topic makes the answers of this path stale. */
export function isStaleBy(topic: Topic, path: string): boolean {
  const { paths, except = [] } = STALE[topic]
  return paths.some((start) => path.startsWith(start)) && !except.some((start) => path.startsWith(start))
}

const lastEvents = new Map<Topic, LiveEvent>()
const watchers = new Set<() => void>()
let isOpen = false

function tellWatchers(): void {
  for (const watcher of watchers) watcher()
}

/**
 * Keeps this tab's stream of live events and refreshes what is on the screen. Used once, by the frame of the signed-in
 * pages.
 */
export function useLive(): void {
  const client = useQueryClient()
  useEffect(() => {
    const refresher = makeRefresher(client)
    const stop = keepStream({
      onEvent: (event) => {
        lastEvents.set(event.topic, event)
        tellWatchers()
        refresher.refresh(event.topic)
      },
      onResume: () => {
        for (const topic of Object.keys(STALE) as Topic[]) refresher.refresh(topic)
      },
      onState: (open) => {
        isOpen = open
        tellWatchers()
      },
    })
    return () => {
      stop()
      refresher.stop()
      lastEvents.clear()
    }
  }, [client])
}

/** The last event of a topic, such as the progress of an import; null before the first. */
export function useLiveProgress(topic: Topic): LiveEvent | null {
  return useSyncExternalStore(watch, () => lastEvents.get(topic) ?? null)
}

/** True while live events arrive; otherwise a page has to poll. */
export function useLiveOpen(): boolean {
  return useSyncExternalStore(watch, () => isOpen)
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

// The first event of a topic refreshes at once; those within the next second are combined at its end.
function makeRefresher(client: QueryClient) {
  const resting = new Map<Topic, { again: boolean; timer: ReturnType<typeof setTimeout> }>()
  const refresh = (topic: Topic): void => {
    const rest = resting.get(topic)
    if (rest !== undefined) {
      rest.again = true
      return
    }
    void client.invalidateQueries({ predicate: ({ queryKey }) => isStaleBy(topic, pathIn(queryKey[0])) })
    const timer = setTimeout(() => {
      const { again = false } = resting.get(topic) ?? {}
      resting.delete(topic)
      if (again) refresh(topic)
    }, REFRESH_EVERY_MS)
    resting.set(topic, { again: false, timer })
  }
  const stop = () => {
    for (const { timer } of resting.values()) clearTimeout(timer)
    resting.clear()
  }
  return { refresh, stop }
}

// Query keys begin with "GET /contacts/".
function pathIn(name: unknown): string {
  return typeof name === 'string' ? name.slice(name.indexOf(' ') + 1) : ''
}
