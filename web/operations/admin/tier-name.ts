/** A plan as it is written on the pricing page. */
export function tierName(tier: string): string {
  return tier.charAt(0).toUpperCase() + tier.slice(1)
}
