import { useEffect } from 'react'
import { type Meeting, meetings } from '#contract/crm/meetings.ts'
import { call } from '#web/platform/api/call.ts'
import { useAddressQuery } from '#web/platform/address.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { toast } from '#web/platform/ui/toast.ts'

const WISHES = ['open', 'attendee', 'new']

/**
 * Opens what a link asks for: `?open=12` opens that meeting, `?attendee=a@b.example` a new one with that person,
 * `?new=1` a new one. The parameter is removed from the address afterwards, so that a reload does not repeat it.
 */
export function useWishes(show: (form: { meeting?: Meeting; attendee?: string }) => void): void {
  const [address, setAddress] = useAddressQuery()
  const [id, attendee, isNew] = WISHES.map((name) => address.get(name))
  useEffect(() => {
    if (id == null && attendee == null && isNew == null) return
    setAddress(
      (before) => {
        for (const name of WISHES) before.delete(name)
        return before
      },
      { replace: true },
    )
    if (id == null) return show(attendee == null ? {} : { attendee })
    call(meetings.get, { params: { id } })
      .then((meeting) => show({ meeting }))
      .catch((error: unknown) => toast.error(sentenceOf(error, 'Failed to load the meeting')))
  }, [id, attendee, isNew, setAddress, show])
}
