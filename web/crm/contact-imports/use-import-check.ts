import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ColumnMeaning, contactImports, type ImportCheck } from '#contract/crm/contact-imports.ts'
import { call } from '#web/platform/api/call.ts'
import type { ApiError } from '#web/platform/api/errors.ts'
import { IMPORT_TIMEOUT_MS } from './use-import.ts'

/** The dry run of an uploaded file with these columns; changing them cancels the one in flight. */
export function useImportCheck(id: number, meanings: readonly ColumnMeaning[]) {
  return useQuery<ImportCheck, ApiError>({
    queryKey: ['import check', id, meanings],
    queryFn: ({ signal }) =>
      call(contactImports.check, {
        params: { id },
        body: { meanings: [...meanings] },
        signal,
        timeoutMs: IMPORT_TIMEOUT_MS,
      }),
    enabled: meanings.includes('email'),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
}
