# SPDX-License-Identifier: BSD-2-Clause
"""Tables of tests/golden, as README.md describes them: read and written."""
import os

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))


def read(name):
    """The rows of a table, each a dict by the names in the header line."""
    mark = "," if name.endswith(".csv") else "\t"
    with open(os.path.join(HERE, name)) as f:
        head = f.readline().rstrip("\n").split(mark)
        return [dict(zip(head, line.rstrip("\n").split(mark))) for line in f]


def data(name):
    """A table of numbers as a matrix."""
    with open(os.path.join(HERE, name)) as f:
        f.readline()
        return numpy.array([[float(v) for v in line.split(",")] for line in f])


def iris():
    """The features of tests/data/iris.csv, and its classes from 0."""
    with open(os.path.join(HERE, "../data/iris.csv")) as f:
        rows = [line.rstrip("\n").split(",") for line in f][1:]
    names = sorted({row[-1] for row in rows})
    return numpy.array([[float(v) for v in row[:-1]] for row in rows]), \
        [names.index(row[-1]) for row in rows]


def write_data(name, head, X, y):
    """Write a table of features and a class, to the last digit."""
    write(name, head, [["%.17g" % v for v in x] + [str(c)]
                       for x, c in zip(X, y)], ",")


def write(name, head, rows, mark="\t"):
    """Write rows of texts, below a header line if there is one."""
    with open(os.path.join(HERE, name), "w") as f:
        for row in ([head] if head else []) + rows:
            f.write(mark.join(row) + "\n")


def numbers(cell):
    return numpy.array([float(v) for v in cell.split(",")])


def decimals(x, count):
    """x rounded to so many decimals, without zeros at the end."""
    text = "%.*f" % (count, x)
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def digits(x, count):
    """x rounded to so many significant digits, and to 13 decimals."""
    text = "%.*g" % (count, round(float(x), 13))
    return "0" if text == "-0" else text


def joined(values, form, count):
    """Numbers with commas between; form is decimals or digits."""
    return ",".join(form(float(v), count) for v in numpy.ravel(values))
