export function StartPanel() {
  return null
}
