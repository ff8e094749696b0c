import { auth } from '#contract/accounts/auth.ts'
import { profile } from '#contract/accounts/profile.ts'
import { COUNTRIES, type CountryCode } from '#contract/platform/countries.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand, useEndpoint } from '#web/platform/api/queries.ts'
import { setTimeZone } from '#web/accounts/auth/time-zone.ts'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { toast } from '#web/platform/ui/toast.ts'

const countries = COUNTRIES.map(({ code, name }) => ({ value: code, label: name }))
const unchosen = { value: '', label: 'Country and time zone', disabled: true }

/** The user's country: it sets the time zone of every screen, the default country and the currency. */
export function CountrySelect() {
  const { data: account } = useEndpoint(auth.me)
  const update = useCommand(profile.update, {
    refreshes: [auth.me],
    onSuccess: (_, { body }) => {
      const place = COUNTRIES.find(({ code }) => code === body?.country)
      if (place === undefined) return
      setTimeZone(place.zone)
      toast.success(`Timezone updated to ${place.zone}`)
    },
    onError: (error) => toast.error(sentenceOf(error, 'Failed to update profile')),
  })
  // Shows the chosen country until the profile has been reloaded.
  const chosen = update.isPending ? update.variables.body?.country : update.data?.country
  const country = chosen ?? account?.country ?? ''
  return (
    <Field label="Country" hideLabel className="w-52 max-sm:w-full">
      <Select
        value={country}
        disabled={account === undefined}
        onChange={(event) => update.mutate({ body: { country: event.target.value as CountryCode } })}
        options={country === '' ? [unchosen, ...countries] : countries}
      />
    </Field>
  )
}
