import { useEffect } from 'react'
import { admin } from '#contract/operations/admin.ts'
import { toast } from '#web/platform/ui/toast.ts'
import { useAdminEndpoint } from './admin-calls.ts'

export const STATS_FAILED = 'Failed to load admin statistics'

/** The figures of this Howl; a toast says when they do not come. */
export function useStats() {
  const result = useAdminEndpoint(admin.stats)
  const { error } = result
  useEffect(() => {
    if (error !== null) toast.error(STATS_FAILED)
  }, [error])
  return result
}
