import { useFilters } from '../../shell/navigation.tsx'

/** Day in the address, such as `from`; a list begins at its first page again when it changes. */
export function DateFilter({ name, label, value }: { name: string; label: string; value?: string }) {
  const [search, change] = useFilters()
  const chosen = search[name]
  return (
    <label className={`chip day${chosen === undefined ? '' : ' on'}`}>
      <span className="sub">{label}</span>
      <input
        type="date"
        value={chosen ?? value ?? ''}
        onChange={(event) => change({ [name]: event.target.value, cursor: undefined })}
      />
    </label>
  )
}
