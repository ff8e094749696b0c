import { useState } from 'react'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { fullTime } from '#web/platform/dates/mail-age.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { instantIn, sendTimes } from './send-times.ts'

type SendLaterProps = { open: boolean; onClose: () => void; onChoose: (at: Date) => void }

/** Asks when to send a mail: a few suggested times, or any other, in the user's zone. */
export function SendLater({ open, onClose, onChoose }: SendLaterProps) {
  const timeZone = useTimeZone()
  const [now] = useState(() => new Date())
  const [day, setDay] = useState('')
  const [time, setTime] = useState('09:00')
  const [fault, setFault] = useState<string | undefined>()
  const choose = () => {
    const at = instantIn(day, time, timeZone)
    if (at === null) setFault('Please choose a day and a time')
    else if (at <= new Date()) setFault('Please choose a time in the future')
    else onChoose(at)
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Send later"
      description={`Times are in ${timeZone.replaceAll('_', ' ')}.`}
      size="s"
      onSubmit={choose}
      submit="Schedule"
    >
      <ul className="mb-4 flex flex-col gap-1.5">
        {sendTimes(now, timeZone).map(({ label, at }) => (
          <li key={label}>
            <Button className="w-full justify-between" onClick={() => onChoose(at)}>
              <span className="flex w-full items-baseline justify-between gap-6">
                {label}
                <span className="font-normal text-ink-2 tabular-nums">{fullTime(at, timeZone)}</span>
              </span>
            </Button>
          </li>
        ))}
      </ul>
      <div className="flex gap-3">
        <Field label="Day" error={fault} className="flex-1">
          <TextInput type="date" value={day} onChange={(event) => setDay(event.target.value)} />
        </Field>
        <Field label="Time" className="w-32">
          <TextInput type="time" value={time} onChange={(event) => setTime(event.target.value)} />
        </Field>
      </div>
    </Dialog>
  )
}
