/** The row of a table's column headings. The last heading is aligned to the end of its column. */
export function ColumnHeads({ columns }: { columns: readonly string[] }) {
  return (
    <tr className="border-y border-line bg-surface-2 text-meta text-fg-2">
      {columns.map((column) => (
        <th
          key={column}
          scope="col"
          className="h-8 px-4 text-start font-medium last:text-end not-first:px-3 last:pe-4"
        >
          {column}
        </th>
      ))}
    </tr>
  );
}
