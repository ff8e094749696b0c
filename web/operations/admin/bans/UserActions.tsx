import { useState } from 'react'
import { BAN_DESCRIPTION_MAX, BAN_REASONS, type BanReason } from '#contract/operations/bans.ts'
import { useAddressQuery } from '#web/platform/address.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { BanForm } from './BanForm.tsx'
import { FindUser } from './FindUser.tsx'
import { UnbanForm } from './UnbanForm.tsx'

/** Bans and unbans a user, who can be looked for first, or whom the address names: then the form is filled. */
export function UserActions() {
  const [query] = useAddressQuery()
  const named = /^\d{1,15}$/.exec(query.get('user_id') ?? '')?.[0] ?? ''
  const isUnban = query.get('act') === 'unban'
  const [banId, setBanId] = useState(isUnban ? '' : named)
  const [unbanId, setUnbanId] = useState(isUnban ? named : '')
  return (
    <div className="flex flex-col gap-6">
      <Card title="Find a user">
        <FindUser onBan={({ id }) => setBanId(String(id))} onUnban={({ id }) => setUnbanId(String(id))} />
      </Card>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Card title="Ban User">
          <BanForm userId={banId} onUserId={setBanId} proposed={proposedIn(query)} />
        </Card>
        <Card title="Unban User">
          <UnbanForm userId={unbanId} onUserId={setUnbanId} />
        </Card>
      </div>
    </div>
  )
}

/** What a link from a pattern of abuse proposes. Anybody can write an address: only what the form takes is read. */
function proposedIn(query: URLSearchParams): { reason: BanReason; description: string } {
  return {
    reason: BAN_REASONS.find((each) => each === query.get('reason')) ?? 'spam',
    description: (query.get('description') ?? '').slice(0, BAN_DESCRIPTION_MAX),
  }
}
