"""The chemical elements: symbols and English names (section 3.1 of "Cascaded Classifiers")."""

_ELEMENTS = """
    H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br
    Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er
    Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm"""
_ELEMENT_NAMES = """
    hydrogen helium lithium beryllium boron carbon nitrogen oxygen fluorine neon sodium magnesium
    aluminium aluminum silicon phosphorus sulfur sulphur chlorine argon potassium calcium scandium
    titanium vanadium chromium manganese iron cobalt nickel copper zinc gallium germanium arsenic
    selenium bromine krypton rubidium strontium yttrium zirconium niobium molybdenum technetium
    ruthenium rhodium palladium silver cadmium indium tin antimony tellurium iodine xenon caesium
    cesium barium lanthanum cerium praseodymium neodymium promethium samarium europium gadolinium
    terbium dysprosium holmium erbium thulium ytterbium lutetium hafnium tantalum tungsten rhenium
    osmium iridium platinum gold mercury thallium lead bismuth polonium astatine radon francium
    radium actinium thorium protactinium uranium neptunium plutonium americium curium"""
ELEMENTS = frozenset(_ELEMENTS.split())
ELEMENT_NAMES = frozenset(_ELEMENT_NAMES.split())
