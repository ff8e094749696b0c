import { useSyncExternalStore } from 'react'
import { currentTimeZone, onTimeZoneChange } from './time-zone.ts'

/** The zone to show times in; the screen follows when another is chosen. */
export const useTimeZone = (): string => useSyncExternalStore(onTimeZoneChange, currentTimeZone)
