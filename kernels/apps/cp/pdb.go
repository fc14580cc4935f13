package cp

import (
	"io"
	"strings"

	"github.com/gocuda/gocuda/kernels/internal/text"
)

// ReadPDB reads the atoms of a file of the Protein Data Bank (Atomic Coordinate Entry Format
// Description, version 3.30): its records ATOM and HETATM, up to the end of the first model, and of
// an atom with several locations the first. name is that of the file, for errors: they begin with
// name:line:column.
//
// The charge of an atom is the formal one:
//
//   - what columns 79 and 80 say, as in 2+, if they are not blank;
//   - else, in the standard residues at pH 7, -1/2 for OD1 and OD2 of ASP, OE1 and OE2 of GLU, and OXT with the O beside it, which
//     end a chain; +1 for NZ of LYS, and +1/2 for NH1 and NH2 of ARG; -1/2 for OP1 and OP2 of nucleotides; histidine is neutral;
//   - the N of the first residue of a chain, +1, if it is a standard amino acid;
//   - ions that are residues by themselves: LI, NA, K, RB, CS +1; MG, CA, MN, FE2, CO, NI, ZN, SR, CD, BA +2; FE, AL +3; F, CL, BR, IOD -1;
//   - all others 0.
//
// Partial charges, and hydrogens, which such files mostly lack, are in PQR files. A file in which
// no atom has a charge is an error.
func ReadPDB(r io.Reader, name string) ([]Atom, error) {
	f := pdbReader{Reader: text.NewReader(r, name), seen: map[pdbAtom]byte{}, first: map[byte]pdbResidue{}, oxygen: map[pdbResidue]int{}}
	for f.Next() {
		switch record := strings.TrimRight(f.field(1, 6), " "); record {
		case "ATOM", "HETATM":
			if err := f.atom(); err != nil {
				return nil, err
			}
			continue
		case "ENDMDL":
			return f.finish()
		}
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	return f.finish()
}

// A pdbResidue is where a residue is in a file: its chain, its number and the code of insertions.
type pdbResidue struct {
	chain  byte
	number string
}

// A pdbAtom is where an atom is.
type pdbAtom struct {
	pdbResidue
	name string
}

// A pdbReader reads one file.
type pdbReader struct {
	*text.Reader
	atoms  []Atom
	seen   map[pdbAtom]byte    // the location that is taken of an atom with several
	first  map[byte]pdbResidue // of each chain
	oxygen map[pdbResidue]int  // the number of the atom O of a residue, for the end of a chain
}

// field returns what is in the columns from first to last, which the line may not have.
func (f *pdbReader) field(first, last int) string {
	line := strings.TrimRight(f.Text(), "\r")
	return line[min(first-1, len(line)):min(last, len(line))]
}

// word returns the field without the blanks around it, and its column.
func (f *pdbReader) word(first, last int) text.Word {
	field := f.field(first, last)
	left := strings.TrimLeft(field, " ")
	if left == "" {
		return text.Word{Column: first}
	}
	return text.Word{Text: strings.TrimRight(left, " "), Column: first + len(field) - len(left)}
}

// atom reads the line of an atom.
func (f *pdbReader) atom() error {
	var v [3]float32
	for i, what := range []string{"x", "y", "z"} {
		var err error
		if v[i], err = f.Float(f.word(31+8*i, 38+8*i), what); err != nil {
			return err
		}
	}
	residue, name := f.word(18, 20).Text, f.word(13, 16).Text
	at := pdbAtom{pdbResidue{' ', f.field(23, 27)}, name}
	if chain := f.field(22, 22); chain != "" {
		at.chain = chain[0]
	}
	if location := f.field(17, 17); location != "" && location != " " {
		if taken, ok := f.seen[at]; ok && taken != location[0] {
			return nil
		}
		f.seen[at] = location[0]
	}
	charge, given, err := f.given()
	if err != nil {
		return err
	}
	if !given {
		charge = f.formal(residue, at)
	}
	if name == "O" {
		f.oxygen[at.pdbResidue] = len(f.atoms)
	}
	f.atoms = append(f.atoms, Atom{v[0], v[1], v[2], charge})
	return nil
}

// given returns the charge in columns 79 and 80.
func (f *pdbReader) given() (charge float32, given bool, err error) {
	w := f.word(79, 80)
	if w.Text == "" {
		return 0, false, nil
	}
	if len(w.Text) == 2 && w.Text[0] >= '0' && w.Text[0] <= '9' {
		switch w.Text[1] {
		case '+':
			return float32(w.Text[0] - '0'), true, nil
		case '-':
			return -float32(w.Text[0] - '0'), true, nil
		}
	}
	return 0, false, f.Invalid(w.Column, "%q is no charge, want a digit and a sign", w.Text)
}

// formal returns the charge of an atom by the rule for those without one.
func (f *pdbReader) formal(residue string, at pdbAtom) float32 {
	if q, ok := ions[residue]; ok {
		return q
	}
	if strings.Contains(nucleotides, " "+residue+" ") {
		if at.name == "OP1" || at.name == "OP2" || at.name == "O1P" || at.name == "O2P" {
			return -0.5
		}
		return 0
	}
	if !strings.Contains(aminoAcids, " "+residue+" ") {
		return 0
	}
	if _, ok := f.first[at.chain]; !ok {
		f.first[at.chain] = at.pdbResidue
	}
	switch at.name {
	case "N":
		if f.first[at.chain] == at.pdbResidue {
			return 1
		}
	case "OXT":
		if o, ok := f.oxygen[at.pdbResidue]; ok {
			f.atoms[o].Charge = -0.5
			return -0.5
		}
		return -1
	}
	return sideChains[residue+" "+at.name]
}

// finish returns what has been read.
func (f *pdbReader) finish() ([]Atom, error) {
	if len(f.atoms) == 0 {
		return nil, f.Invalid(1, "the file ends without an atom")
	}
	for _, a := range f.atoms {
		if a.Charge != 0 {
			return f.atoms, nil
		}
	}
	return nil, f.Invalid(1, "none of the %d atoms has a formal charge; a PQR file has partial ones", len(f.atoms))
}

const (
	aminoAcids  = " ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL "
	nucleotides = " A C G U DA DC DG DT "
)

var sideChains = map[string]float32{
	"ASP OD1": -0.5, "ASP OD2": -0.5, "GLU OE1": -0.5, "GLU OE2": -0.5, "LYS NZ": 1, "ARG NH1": 0.5, "ARG NH2": 0.5,
}

// ions are those that are residues by themselves, by the names of the Chemical Component Dictionary.
var ions = map[string]float32{
	"LI": 1, "NA": 1, "K": 1, "RB": 1, "CS": 1,
	"MG": 2, "CA": 2, "MN": 2, "FE2": 2, "CO": 2, "NI": 2, "ZN": 2, "SR": 2, "CD": 2, "BA": 2,
	"FE": 3, "AL": 3,
	"F": -1, "CL": -1, "BR": -1, "IOD": -1,
}
