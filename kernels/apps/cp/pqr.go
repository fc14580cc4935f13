package cp

import (
	"io"

	"github.com/gocuda/gocuda/kernels/internal/text"
)

// ReadPQR reads the atoms of a PQR file, as PDB2PQR writes it (https://pdb2pqr.readthedocs.io,
// section Molecular structure data format: PQR). A line of an atom has words with blanks between
// them: ATOM or HETATM, the number and the name of the atom, the name and perhaps the chain of the
// residue and its number, x, y and z in Å, the charge in elementary charges and the radius in Å,
// which is not used. All other lines are passed over. name is that of the file, for errors: they
// begin with name:line:column.
func ReadPQR(r io.Reader, name string) ([]Atom, error) {
	f := text.NewReader(r, name)
	var atoms []Atom
	for f.Next() {
		words := f.Words(0)
		if len(words) == 0 || words[0].Text != "ATOM" && words[0].Text != "HETATM" {
			continue
		}
		n := len(words)
		if n != 10 && n != 11 {
			return nil, f.Invalid(words[0].Column, "an atom of %d words, want 10, or 11 with a chain", n)
		}
		var v [5]float32
		for i, what := range []string{"x", "y", "z", "the charge", "the radius"} {
			var err error
			if v[i], err = f.Float(words[n-5+i], what); err != nil {
				return nil, err
			}
		}
		atoms = append(atoms, Atom{v[0], v[1], v[2], v[3]})
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	if len(atoms) == 0 {
		return nil, f.Invalid(1, "the file ends without an atom")
	}
	return atoms, nil
}
