import { briefs } from '#contract/outreach/briefs.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'

/** Says of ready-made texts that they are in English, to a user who writes in another language. */
export function InEnglish() {
  const { data: brief } = useEndpoint(briefs.get)
  if (brief == null || brief.language === 'en') return null
  return (
    <> These texts are in English: translate what you use. Greetings follow the language of “About you”.</>
  )
}
